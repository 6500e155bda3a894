// RUN all
// IN 0 [1, 2]
// IN 1 [3, 4]
// OUT 0 11
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<i32> {
  %0 = stablehlo.dot %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}
// -----
// RUN all
// IN 0 [[1.0, 2.0], [3.0, 4.0]]
// IN 1 [5.0, 6.0]
// OUT 0 [17.0, 39.0]
func.func @main(%a: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native
// ERROR operand 1
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf64>) -> tensor<f32> {
  %0 = stablehlo.dot %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
