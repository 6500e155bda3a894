// RUN native f64 f32 wide
// IN 0 [0.0, 3.14159265358979323846]
// OUT 0 ~ [1.0, -1.0]
func.func @main(%a: tensor<2xf64>) -> tensor<2xf64> {
  %0 = stablehlo.cosine %a : tensor<2xf64>
  func.return %0 : tensor<2xf64>
}
