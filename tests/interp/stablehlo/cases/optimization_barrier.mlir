// RUN all
// IN 0 [1, 2]
// IN 1 3.0
// OUT 0 [1, 2]
// OUT 1 3.0
func.func @main(%a: tensor<2xi32>, %b: tensor<f32>) -> (tensor<2xi32>, tensor<f32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xi32>, tensor<f32>
  func.return %0#0, %0#1 : tensor<2xi32>, tensor<f32>
}
