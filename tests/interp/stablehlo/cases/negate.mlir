// RUN all
// IN 0 [0, -2]
// OUT 0 [0, 2]
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.negate %a : tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
// -----
// RUN all
// IN 0 [1, 0]
// OUT 0 [255, 0]
func.func @main(%a: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.negate %a : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
// -----
// RUN all
// IN 0 [1.5, -2.0]
// OUT 0 [-1.5, 2.0]
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native f64 f32
// IN 0 [0.0]
// OUT 0 [-0.0]
func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.negate %a : tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
