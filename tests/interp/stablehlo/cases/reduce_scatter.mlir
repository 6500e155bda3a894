// RUN all
// IN 0@0 [[1, 2, 3, 4], [5, 6, 7, 8]]
// IN 0@1 [[9, 10, 11, 12], [13, 14, 15, 16]]
// OUT 0@0 [[10, 12], [18, 20]]
// OUT 0@1 [[14, 16], [22, 24]]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<2x4xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xi64>) -> tensor<2x2xi64>
    func.return %0 : tensor<2x2xi64>
  }
}
// -----
// RUN native
// IN 0@0 [1, 2, 3]
// IN 0@1 [5, 6, 7]
// ERROR expected a group of 3 processes, found 2
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<3xi64>) -> tensor<1xi64> {
    %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %z = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %z : tensor<i64>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3xi64>) -> tensor<1xi64>
    func.return %0 : tensor<1xi64>
  }
}
