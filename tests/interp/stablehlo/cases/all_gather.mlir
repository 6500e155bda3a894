// RUN all
// IN 0@0 [[1, 2], [3, 4]]
// IN 0@1 [[5, 6], [7, 8]]
// OUT 0 [[1, 2, 5, 6], [3, 4, 7, 8]]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<2x2xi64>) -> tensor<2x4xi64> {
    %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x2xi64>) -> tensor<2x4xi64>
    func.return %0 : tensor<2x4xi64>
  }
}
