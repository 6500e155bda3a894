// RUN all
// IN 0@0 [1, 2, 3, 4]
// IN 0@1 [5, 6, 7, 8]
// OUT 0 [6, 8, 10, 12]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<4xi64>) -> tensor<4xi64> {
    %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    func.return %0 : tensor<4xi64>
  }
}
// -----
// RUN native exact
// IN 0@0 [1, 2]
// IN 0@1 [5, 6]
// OUT 0 [6, 8]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<2xi64>) -> tensor<2xi64> {
    %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %n = stablehlo.negate %y : tensor<i64>
    %z = stablehlo.subtract %x, %n : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
    func.return %0 : tensor<2xi64>
  }
}
// -----
// RUN native exact f32 wide bounded
// IN 0@0 [1.0]
// IN 0@1 [5.0]
// IN 0@2 [7.0]
// IN 0@3 [9.0]
// OUT 0@0 [8.0]
// OUT 0@1 [14.0]
// OUT 0@2 [8.0]
// OUT 0@3 [14.0]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func public @main(%a: tensor<1xf32>) -> tensor<1xf32> {
    %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>} : (tensor<1xf32>) -> tensor<1xf32>
    func.return %0 : tensor<1xf32>
  }
}
