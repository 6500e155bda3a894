// RUN all
// IN 0 [[1, 2], [7, 8]]
// IN 1 [[5, 6], [3, 4]]
// OUT 0 [[1, 2], [3, 4]]
func.func @main(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.minimum %a, %b : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN native f64 f32
// IN 0 [0x7FC00000, 1.0]
// IN 1 [1.0, 0x7FC00000]
// OUT 0 [0x7FC00000, 0x7FC00000]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.minimum %a, %b : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN all
// IN 0 [-1, 5]
// IN 1 [1, 3]
// OUT 0 [-1, 3]
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %0 = stablehlo.minimum %a, %b : tensor<2xi8>
  func.return %0 : tensor<2xi8>
}
