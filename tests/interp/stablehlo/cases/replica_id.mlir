// RUN native exact
// IN 0@0 7
// IN 0@1 7
// OUT 0@0 0
// OUT 0@1 1
// OUT 1 0
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<i32>) -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.replica_id : tensor<ui32>
    %1 = stablehlo.partition_id : tensor<ui32>
    func.return %0, %1 : tensor<ui32>, tensor<ui32>
  }
}
