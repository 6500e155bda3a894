// RUN all
// IN 0 []
// IN 1 3.0
// OUT 0 [3.0, 3.0]
// OUT 1 3.0
func.func @main(%a: tensor<0x2xf32>, %i: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<0x2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<0x2xf32>) -> tensor<2x0xf32>
  %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.reduce(%2 init: %i) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
  func.return %0, %3 : tensor<2xf32>, tensor<f32>
}
