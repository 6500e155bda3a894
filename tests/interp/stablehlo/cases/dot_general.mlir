// RUN all
// IN 0 [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
// IN 1 [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]
// OUT 0 [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
func.func @main(%a: tensor<2x2x2xi64>, %b: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  func.return %0 : tensor<2x2x2xi64>
}
// -----
// RUN all
// IN 0 [[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]
// IN 1 [[[24.0, 25.0, 26.0], [27.0, 28.0, 29.0]], [[30.0, 31.0, 32.0], [33.0, 34.0, 35.0]], [[36.0, 37.0, 38.0], [39.0, 40.0, 41.0]], [[42.0, 43.0, 44.0], [45.0, 46.0, 47.0]]]
// OUT 0 [[2366.0, 2564.0], [7262.0, 7892.0]]
func.func @main(%a: tensor<2x3x4xf32>, %b: tensor<4x2x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2, 1] x [0, 2] : (tensor<2x3x4xf32>, tensor<4x2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN native exact
// IN 0 [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]
// IN 1 [[[24, 25], [26, 27], [28, 29], [30, 31]], [[32, 33], [34, 35], [36, 37], [38, 39]], [[40, 41], [42, 43], [44, 45], [46, 47]]]
// OUT 0 [[[172, 178], [1468, 1522]], [[780, 802], [2460, 2530]], [[1644, 1682], [3708, 3794]]]
func.func @main(%a: tensor<2x3x4xi8>, %b: tensor<3x4x2xi8>) -> tensor<3x2x2xi32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xi8>, tensor<3x4x2xi8>) -> tensor<3x2x2xi32>
  func.return %0 : tensor<3x2x2xi32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [1.0, 256.0]
// IN 1 [1.0, 1.0]
// OUT 0 256.0
// OUT 1 257.0
func.func @main(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> (tensor<bf16>, tensor<f32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<bf16>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<f32>
  func.return %0, %1 : tensor<bf16>, tensor<f32>
}
// -----
// RUN native
// ERROR axis
func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
