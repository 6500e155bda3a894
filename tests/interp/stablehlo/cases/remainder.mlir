// RUN all
// IN 0 [17, -17, 17, -17]
// IN 1 [3, 3, -3, -3]
// OUT 0 [2, -2, 2, -2]
func.func @main(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.remainder %a, %b : tensor<4xi32>
  func.return %0 : tensor<4xi32>
}
// -----
// RUN all
// IN 0 [5, -2147483648]
// IN 1 [0, -1]
// OUT 0 [5, 0]
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.remainder %a, %b : tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
// -----
// RUN native f64 f32 wide
// IN 0 [17.125, -17.125, 17.125, -17.125]
// IN 1 [3.0, 3.0, -3.0, -3.0]
// OUT 0 [2.125, -2.125, 2.125, -2.125]
func.func @main(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.remainder %a, %b : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
