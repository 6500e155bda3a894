// RUN all
// IN 0@0 [[1, 2, 3, 4], [5, 6, 7, 8]]
// IN 0@1 [[9, 10, 11, 12], [13, 14, 15, 16]]
// OUT 0@0 [[1, 2], [5, 6], [9, 10], [13, 14]]
// OUT 0@1 [[3, 4], [7, 8], [11, 12], [15, 16]]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<2x4xi64>) -> tensor<4x2xi64> {
    %0 = "stablehlo.all_to_all"(%a) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xi64>) -> tensor<4x2xi64>
    func.return %0 : tensor<4x2xi64>
  }
}
// -----
// RUN native exact
// IN 0@0 [1, 2, 3, 4]
// IN 0@1 [5, 6, 7, 8]
// OUT 0@0 [1, 2, 5, 6]
// OUT 0@1 [3, 4, 7, 8]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<4xi64>) -> tensor<4xi64> {
    %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    func.return %0 : tensor<4xi64>
  }
}
// -----
// RUN native
// IN 0@0 [1, 2, 3, 4]
// IN 0@1 [5, 6, 7, 8]
// ERROR split_count
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<4xi64>) -> tensor<4xi64> {
    %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi64>) -> tensor<4xi64>
    func.return %0 : tensor<4xi64>
  }
}
