// RUN all
// IN 0@0 [[1, 2]]
// IN 0@1 [[3, 4]]
// OUT 0 [[3, 4]]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<1x2xi64>) -> tensor<1x2xi64> {
    %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1x2xi64>) -> tensor<1x2xi64>
    func.return %0 : tensor<1x2xi64>
  }
}
