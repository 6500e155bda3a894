"""golden run on arrays that mean harm: every refusal is one line with the argument's name, and leaves no file."""
import os
import struct
import zipfile

import attack
import images

PROGRAM = """func.func @main(%x: tensor<2x3xf32>, %n: tensor<i32>, %p: tensor<i1>) -> (tensor<2x3xf32>, tensor<i32>, tensor<i1>) {
  %0 = stablehlo.add %x, %x : tensor<2x3xf32>
  return %0, %n, %p : tensor<2x3xf32>, tensor<i32>, tensor<i1>
}
"""
BF16 = """func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.add %x, %x : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
"""
LOOP = """func.func @main() -> tensor<i1> {
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%a = %0) : tensor<i1>
    cond {
      stablehlo.return %a : tensor<i1>
    } do {
      stablehlo.return %a : tensor<i1>
    }
  return %1 : tensor<i1>
}
"""


def floats(*cells, descr="<f4", shape=(2, 3), code="<"):
    return images.npy(descr, shape, struct.pack(f"{code}{len(cells)}f", *cells))


class Run(attack.Attack):
    def setUp(self):
        super().setUp()
        self.program = self.path("a.mlir", PROGRAM)
        self.good = {"x": floats(1, 2, 3, 4, 5, 6), "n": images.npy("<i4", (), struct.pack("<i", 7)),
                     "p": images.npy("|b1", (), b"\x01")}

    def words(self, arrays, *more, program=None):
        images.write(self.path("in.npz"), **arrays)
        return ["run", program or self.program, "--inputs", self.path("in.npz"), "--outputs", self.path("out.npz"), *more]

    def cells(self, name, count, code="f"):
        with zipfile.ZipFile(self.path("out.npz")) as file:
            data = file.read(name + ".npy")
        return struct.unpack(f"<{count}{code}", data[-count * struct.calcsize(code):])

    def refusedCleanly(self, arrays, *said, more=(), program=None):
        self.refused(self.words(arrays, *more, program=program), *said)
        self.assertFalse(os.path.exists(self.path("out.npz")))

    def test_right_arrays(self):
        self.accepted(self.words(self.good))
        self.assertEqual(self.cells("out0", 6), (2, 4, 6, 8, 10, 12))
        self.assertEqual(self.cells("out1", 1, "i"), (7,))
        self.accepted(self.words({f"arr_{i}": array for i, array in enumerate(self.good.values())}))
        self.assertEqual(self.cells("out0", 6), (2, 4, 6, 8, 10, 12))
        # Cells by columns, and of the other byte order.
        columns = floats(1, 4, 2, 5, 3, 6).replace(b"'fortran_order': False", b"'fortran_order': True ")
        self.accepted(self.words({**self.good, "x": columns}))
        self.assertEqual(self.cells("out0", 6), (2, 4, 6, 8, 10, 12))
        self.accepted(self.words({**self.good, "x": floats(1, 2, 3, 4, 5, 6, descr=">f4", code=">")}))
        self.assertEqual(self.cells("out0", 6), (2, 4, 6, 8, 10, 12))

    def test_replicas_along_either_axis(self):
        for shape in (4, 3), (2, 6):
            self.accepted(self.words({**self.good, "x": floats(*range(12), shape=shape)}, "--R", "2"))
            found = self.cells("out0", 12)
            cut = range(12) if shape == (4, 3) else [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]
            self.assertEqual(found, tuple(2 * cell for cell in cut))
        self.refusedAfter({**self.good, "x": floats(*range(24), shape=(4, 6))}, "argument: 'x'", more=["--R", "2"])

    def refusedAfter(self, arrays, *said, more=()):
        os.remove(self.path("out.npz"))
        self.refusedCleanly(arrays, *said, more=more)

    def test_bf16(self):
        program = self.path("b.mlir", BF16)
        ones = struct.pack("<HH", 0x3F80, 0x4000)
        self.accepted(self.words({"x": images.npy("|V2", (2,), ones)}, program=program))
        self.assertEqual(self.cells("out0", 2, "H"), (0x4000, 0x4080))
        os.remove(self.path("out.npz"))
        self.refusedCleanly({"x": images.npy("<u2", (2,), ones)}, "argument 'x'", program=program)
        self.refusedCleanly({**self.good, "x": images.npy("|V2", (2, 3), ones * 3)}, "argument 'x'")

    def test_wrong_arrays(self):
        for name, array in [("x", floats(*range(5), shape=(5,))), ("x", images.npy("<f8", (2, 3), bytes(48))),
                            ("x", images.npy("|O", (2, 3), bytes(48))), ("x", b""), ("x", self.good["x"][:-1]),
                            ("x", images.npy("<f4", (2**40, 2**40), b"")), ("n", images.npy("<i8", (), bytes(8))),
                            ("n", images.npy("<i4", (1,), bytes(4))), ("p", images.npy("|u1", (), b"\x01"))]:
            self.refusedCleanly({**self.good, name: array}, "a.mlir: argument", f"'{name}'")
        for name in self.good:
            self.refusedCleanly({other: array for other, array in self.good.items() if other != name}, f"argument '{name}'",
                                "no array")
        for cell in float("nan"), float("inf"):
            self.refusedCleanly({**self.good, "x": floats(cell, *range(5))}, "argument 'x'", "no meaning in exact",
                                more=["--domain", "exact"])

    def test_numbers_of_replicas(self):
        for count in "0", "-1", "1000001", "2.5", "", "x", "99999999999999999999":
            self.refusedCleanly(self.good, "--R", more=["--R", count])

    def test_outputs(self):
        for target in self.program, self.path("in.npz"), os.path.join(self.folder, ".", "in.npz"):
            words = self.words(self.good)
            words[words.index("--outputs") + 1] = target
            self.refused(words, "expected a file of its own")
        self.refusedCleanly(self.good, "expected a file of its own", more=["--trace", self.path("out.npz")])
        self.refusedCleanly(self.good, "expected a file, found a folder", more=["--trace", self.folder])

    def test_programs_that_are_none(self):
        for content in [b"", b"\0" * 100, b"\xff\xfe", b"ML\xefR", b"module {", os.urandom(1000), PROGRAM.encode()[:-4]]:
            self.refusedCleanly(self.good, "bad.mlir", program=self.path("bad.mlir", content))

    def test_an_endless_loop_can_be_stopped(self):
        import signal
        import subprocess
        import time

        process = subprocess.Popen([attack.PROGRAM, "run", self.path("loop.mlir", LOOP), "--outputs", self.path("out.npz")],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=30)
        self.assertEqual((process.returncode, error), (-signal.SIGTERM, b""))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mlir", "loop.mlir"])


if __name__ == "__main__":
    attack.main()
