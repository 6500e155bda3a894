#!/usr/bin/env python3
"""golden train and golden nets: options, data and nets that make no sense are refused in one line, at once."""
import resource
import struct
import time

import attack
import images


class GoldenOptions(attack.Attack):
    def setUp(self):
        super().setUp()
        self.data = self.path("a.npz")
        images.random_set(self.data)

    def words(self, *more, without=(), data=None):
        """A run of one step, its options replaced by those that are given."""
        options = {"--data": data or self.data, "--widths": "2", "--head": "3", "--batch": "8", "--steps": "1"}
        for option in (*without, *more[::2]):
            options.pop(option, None)
        return ["train", *(word for pair in options.items() for word in pair), *more]

    def test_numbers(self):
        no_count = ["0", "-1", "abc", "1e3", "0x10", "NaN", "inf", " 2", "2 ", "+2", "2.0", "٣", "２", "9" * 30, "9" * 100000,
                    "1000000001", b"\xff", "2\n", "2;3"]
        for option in ["--batch", "--steps", "--widths", "--head", "--convolutions", "--R"]:
            for text in no_count:
                self.refused(self.words(option, text), option)
        for text in no_count:
            self.refused(self.words("--epochs", text, without=["--steps"]), "--epochs")
            self.refused(self.words("--checkpoint", self.path("c"), "--every", text), "--every")
        for option in ["--widths", "--R"]:
            for text in ["2,", ",2", "2,,3", "2 3", "2,x", ","]:
                self.refused(self.words(option, text), option)
        self.refused(self.words("--R", "2,4,2"), "--R", "different numbers")
        for text in ["-1", "1e400", "1e7", "-0.1", "nan", "inf", "1,5", "0x1p-3", " 1", "", "1e", "٣"]:
            self.refused(self.words("--rate", text), "--rate")
        for text in ["-1", "18446744073709551616", "0x10", "1.0", ""]:
            self.refused(self.words("--seed", text), "--seed")
        for text in ["-1", "1000000001", "1.5", ""]:
            self.refused(self.words("--warmup", text), "--warmup")

    def test_names(self):
        for option in ["--optimizer", "--schedule", "--precision"]:
            for text in ["nope", "a" * 100000, "ada\nm", "\x1b[31m", b"\xff", "adam,sgd", " adam"]:
                self.refused(self.words(option, text))
            self.refused(self.words(option, ""), option)
        for text in ["nope", "tiny-bn ", "tiny\nbn", b"\xff", "a" * 100000, ""]:
            self.refused(self.words("--net", text, without=["--widths", "--head"]))
            self.refused(["nets", "--net", text])
        for option in ["--widths", "--head", "--convolutions"]:
            self.refused(["train", "--data", self.data, "--net", "tiny-bn", option, "2"], "--net", option)
        self.refused(["nets", "extra"], "unexpected argument")
        for first in ["", "Train", "runs", b"\xff", "a" * 100000]:
            self.refused([first], "no command is named")

    def test_what_does_not_fit(self):
        self.refused(self.words("--batch", "33"), "at most the 32 examples")
        self.accepted(self.words("--batch", "32"))
        self.refused(self.words("--batch", "8", "--R", "1,3"), "multiple of 3")
        self.refused(self.words("--batch", "8", "--R", "16"), "multiple of 16")
        self.refused(self.words("--widths", "1,1,1"), "even extents")
        for image in (1, 1, 1), (1, 3, 4), (1, 4, 3):
            images.random_set(self.path("odd.npz"), image=image)
            self.refused(self.words(data=self.path("odd.npz")), "even extents")
        self.refused(["train", "--data", self.data, "--net", "cifar8-bn", "--steps", "1", "--batch", "1"], "[3,32,32]")
        images.random_set(self.path("seven.npz"), classes=7)
        self.refused(["train", "--data", self.path("seven.npz"), "--net", "tiny-bn", "--batch", "1"], "at most 4 classes")

    def test_data_that_lie(self):
        four, shape = images.labels([0, 1, 0, 1]), (4, 1, 2, 2)
        bytes16 = images.npy("|u1", shape, bytes(16))
        nan = struct.pack("<16f", *([0.5] * 5), float("nan"), *([0.5] * 10))
        for x, y, word in [
                (images.npy("<f4", shape, nan), four, "pixel 1 of example 1"),
                (images.npy("<f8", shape, struct.pack("<16d", *[1e300] * 16)), four, "finite"),
                (bytes16, images.labels([0, 256, 0, 0], "<i8", "q"), "found 256"),
                (bytes16, images.labels([0, -1, 0, 0], "<i8", "q"), "found -1"),
                (bytes16, images.labels([0, 2**64 - 1, 0, 0], "<u8", "Q"), "u64"),
                (bytes16, images.labels([0, 1.5, 0, 0], "<f8", "d"), "integers"),
                (bytes16, images.labels([0, 1, 0]), "found [3]"),
                (images.npy("|u1", (2**40, 2**40), bytes(16)), four, "64 bits"),
                (images.npy("|u1", (200000, 3, 32, 32), bytes(16)), four, "promises 614400000 bytes"),
                (images.npy("|u1", shape, bytes(17)), four, "promises 16 bytes"),
                (images.npy("|u1", (-4, 1, 2, 2), bytes(16)), four, "extent"),
                (images.npy("|u1", (0, 1, 2, 2), b""), images.labels([]), "at least one pixel"),
                (images.npy("|u1", (4, 0, 2, 2), b""), four, "at least one pixel"),
                (images.npy("|u1", (4,), bytes(4)), four, "expected images"),
                (images.npy("|u1", (4, 1, 1, 2, 2), bytes(16)), four, "expected images"),
                (images.npy("|u1", (4, 5), bytes(20)), four, "H²"),
                (images.npy("|b1", shape, bytes(16)), four, "pixels")]:
            images.write(self.path("b.npz"), x=x, y=y)
            self.refused(self.words("--batch", "1", data=self.path("b.npz")), "b.npz", word)
        images.write(self.path("b.npz"), x=bytes16, y=four, x_test=images.npy("|u1", (0, 1, 2, 2), b""), y_test=images.labels([]))
        self.refused(self.words("--batch", "1", data=self.path("b.npz")), "x_test", "at least one")
        with open(self.data, "rb") as file:
            whole = file.read()
        for cut in range(0, len(whole), 997):
            self.path("b.npz", whole[:cut])
            self.refused(self.words(data=self.path("b.npz")), "b.npz")
        with open(self.path("huge.bin"), "wb") as file:
            file.truncate(3 << 30)
        start = time.monotonic()
        self.refused(self.words(data=self.path("huge.bin")), "huge.bin: expected at most 2147483648 bytes")
        self.assertLess(time.monotonic() - start, 5)
        for path in ["/dev/null", "/dev/zero", self.folder, self.path("nosuch"), self.path("a" * 5000), b"\xff\xfe"]:
            self.refused(self.words(data=path))

    def test_data_that_are_few_or_plain_are_no_error(self):
        images.random_set(self.path("one.npz"), examples=1)
        for net in ["--widths", "2"], ["--net", "tiny-bn"]:
            self.accepted(["train", "--data", self.path("one.npz"), *net, "--batch", "1", "--steps", "2"])
        images.write(self.path("flat.npz"), x=images.npy("|u1", (20, 4, 4), bytes(320)), y=images.labels([0] * 20))
        done = self.accepted(self.words("--batch", "4", "--R", "4", data=self.path("flat.npz")))
        self.assertIn(b"loss 0.0000   test 100.0 %", done.stdout)

    def test_nets_that_do_not_fit_in_memory(self):
        images.random_set(self.path("c.npz"), image=(3, 32, 32), examples=10)

        def little():
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

        for more in [["--widths", "1000000"], ["--widths", "1000000,1000000"], ["--head", "1000000"],
                     ["--widths", "30000", "--convolutions", "100"], ["--head", "1000000", "--precision", "f64", "--R", "4"]]:
            start = time.monotonic()
            self.refused(self.words(*more, data=self.path("c.npz")), "MiB", "free", preexec_fn=little)
            self.assertLess(time.monotonic() - start, 20)
        self.refused(self.words("--widths", "1000000", "--head", "1000000", "--convolutions", "100", data=self.path("c.npz")))


if __name__ == "__main__":
    attack.main()
