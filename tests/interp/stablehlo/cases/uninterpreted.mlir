// RUN exact
// IN 0 [0.5, 3.0]
// OUT 0 [0.0, 0.0]
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %a : tensor<2xf32>
  %1 = stablehlo.reverse %a, dims = [0] : tensor<2xf32>
  %2 = stablehlo.sine %1 : tensor<2xf32>
  %3 = stablehlo.reverse %2, dims = [0] : tensor<2xf32>
  %4 = stablehlo.subtract %0, %3 : tensor<2xf32>
  %5 = stablehlo.power %0, %a : tensor<2xf32>
  %6 = stablehlo.power %3, %a : tensor<2xf32>
  %7 = stablehlo.subtract %5, %6 : tensor<2xf32>
  %8 = stablehlo.add %4, %7 : tensor<2xf32>
  func.return %8 : tensor<2xf32>
}
// -----
// RUN exact
// IN 0 [0.5, 3.0]
// IN 1 [2.0, 2.0]
// OUT 0 [0.0, 0.0]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.logistic %a : tensor<2xf32>
  %1 = stablehlo.negate %a : tensor<2xf32>
  %2 = stablehlo.exponential_minus_one %1 : tensor<2xf32>
  %3 = stablehlo.add %2, %b : tensor<2xf32>
  %4 = stablehlo.multiply %0, %3 : tensor<2xf32>
  %5 = stablehlo.log_plus_one %4 : tensor<2xf32>
  %6 = stablehlo.log %b : tensor<2xf32>
  %7 = stablehlo.subtract %5, %6 : tensor<2xf32>
  func.return %7 : tensor<2xf32>
}
