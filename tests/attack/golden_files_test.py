#!/usr/bin/env python3
"""golden train and its files: what cannot be written is said before the run, a checkpoint is whole or refused, and
the same run gives the same bytes."""
import os
import random
import resource
import signal
import subprocess
import time

import attack
import images

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Golden(attack.Attack):
    def setUp(self):
        super().setUp()
        self.data = self.path("a.npz")
        images.random_set(self.data)

    def words(self, *more, steps="6", data=None):
        return ["train", "--data", data or self.data, "--widths", "2", "--head", "3", "--batch", "8", "--steps", steps, *more]

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder))


class Outputs(Golden):
    def test_what_cannot_be_written_is_refused_before_the_run(self):
        os.mkdir(self.path("folder"))
        os.mkdir(self.path("x.svg"))
        os.mkdir(self.path("y-R2.csv"))
        os.mkfifo(self.path("pipe"))
        before = self.files()
        for target in [self.path("folder"), self.path("new/"), self.data + "/below", "/proc/nosuch/x", self.path("a" * 260),
                       "/dev/full/x", self.path("pipe")]:
            self.refused(self.words("--checkpoint", target), os.path.dirname(target)[:40])
        self.refused(self.words("--curve", self.path("x")), "x.svg: expected a file, found a folder")
        self.refused(self.words("--curve", self.path("y"), "--R", "1,2"), "y-R2.csv: expected a file, found a folder")
        for prefix in [self.data + "/x", self.path("a" * 252), "/proc/nosuch/x"]:
            self.refused(self.words("--curve", prefix))
        os.rmdir(self.path("new"))
        self.assertEqual(self.files(), before)

    def test_a_read_only_folder(self):
        os.mkdir(self.path("closed"))
        os.chmod(self.path("closed"), 0o555)
        os.chmod(self.folder, 0o755)
        more = self.as_nobody()
        for option in "--checkpoint", "--curve":
            self.refused(self.words(option, self.path("closed/x")), "cannot be written", **more)

    def test_a_refused_run_leaves_nothing(self):
        before = self.files()
        for wrong in [["--batch", "9", "--R", "2"], ["--widths", "1,1,1"]]:
            words = self.words("--curve", self.path("new/x"), "--checkpoint", self.path("other/c.npz"))
            for option, value in zip(wrong[::2], wrong[1::2]):
                words = words[:words.index(option)] + words[words.index(option) + 2:] if option in words else words
                words += [option, value]
            self.refused(words)
        self.refused(self.words("--curve", self.path("new/x"), data=self.path("nosuch.npz")))
        self.refused(self.words("--resume", "--checkpoint", self.path("new/c.npz")), "c.npz")
        self.assertEqual(self.files(), before)

    def test_no_output_takes_the_place_of_another_or_of_the_images(self):
        images_before = self.content("a.npz")
        os.symlink(self.data, self.path("link"))
        for target in [self.data, os.path.join(self.folder, ".", "a.npz"), self.path("link")]:
            self.refused(self.words("--checkpoint", target), "the images")
        os.mkdir(self.path("batches"))
        for name in [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]:
            self.path(f"batches/{name}.bin", bytes(3073 * 4))
        words = self.words("--checkpoint", self.path("batches/test_batch.bin"), data=self.path("batches"))
        self.refused(words, "the images")
        self.assertEqual(self.content("batches/test_batch.bin"), bytes(3073 * 4))
        self.accepted(self.words("--checkpoint", self.path("batches/run.npz"), data=self.path("batches")))
        for suffix in ".csv", ".svg":
            self.refused(self.words("--checkpoint", self.path("out" + suffix), "--curve", self.path("out")), "the checkpoint")
        self.assertEqual(self.content("a.npz"), images_before)

    def test_a_full_disk(self):
        """By a limit on the size of files; the older checkpoint survives, and nothing half-written does."""
        self.accepted(self.words("--checkpoint", self.path("c.npz")))
        before, names = self.content("c.npz"), self.files()

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = attack.run(*self.words("--checkpoint", self.path("c.npz"), "--seed", "2"), preexec_fn=limited)
        self.assertEqual(done.returncode, 2)
        self.assertIn("c.npz: cannot be written: File too large", self.is_one_line(done.stderr))
        self.assertEqual((self.content("c.npz"), self.files()), (before, names))

    def test_prefixes_with_odd_characters(self):
        for name in [" ", "-1", "٣", "a\nb", "%s%n", "<&\">", "..", "x.csv"]:
            prefix = self.path("curves/" + name)
            self.accepted(self.words("--curve", prefix))
            for suffix in ".csv", ".svg":
                self.assertTrue(os.path.getsize(prefix + suffix) > 0)
        self.accepted(self.words("--curve", os.fsencode(self.folder) + b"/\xff"))

    def shell(self, command):
        return subprocess.run(["sh", "-c", command, "sh", attack.PROGRAM, *self.words()], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60, check=False)

    def test_closed_and_full_streams(self):
        checkpoint = f'--checkpoint {self.path("c.npz")}'
        run = 'p="$1"; shift; "$p" "$@" '
        for closed in ">&-", ">/dev/full":
            done = self.shell(f"{run}{checkpoint} {closed}")
            self.assertEqual(done.returncode, 2)
            self.is_one_line(done.stderr)
        for closed in "<&-", "2>&-", "2>/dev/full":
            self.assertEqual(self.shell(f"{run}{checkpoint} {closed}").returncode, 0)
            self.assertEqual(self.content("c.npz")[:2], b"PK")
        done = self.shell(run + "| head -n 1")
        self.assertEqual(done.stdout.count(b"\n"), 1)


class Checkpoints(Golden):
    ONE = {"OMP_NUM_THREADS": "1"}

    def half_way(self):
        """The checkpoints after step 3 and after step 6 of the same run."""
        self.accepted(self.words("--checkpoint", self.path("whole.npz"), "--curve", self.path("whole")), environment=self.ONE)
        whole = self.content("whole.npz")
        for _ in range(50):
            process = subprocess.Popen([attack.PROGRAM, *self.words("--checkpoint", self.path("part.npz"), "--every", "3")],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            while process.poll() is None and not os.path.exists(self.path("part.npz")):
                pass
            process.kill()
            process.wait()
            if self.content("part.npz") != whole:
                return self.content("part.npz"), whole
            os.remove(self.path("part.npz"))
        self.skipTest("the run ends too quickly to be stopped half way")

    def resumed(self, content):
        """Refused, with the file as it was, or gone on with."""
        self.path("d.npz", content)
        done = attack.run(*self.words("--checkpoint", self.path("d.npz"), "--resume"), environment=self.ONE)
        if done.returncode == 0:
            return self.content("d.npz")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.is_one_line(done.stderr)
        self.assertEqual(self.content("d.npz"), content)
        return None

    def test_damage_is_refused_or_harmless(self):
        part, whole = self.half_way()
        draw = random.Random(1)
        refused = 0
        for at in [*range(64), *range(64, len(part) - 400, 61), *range(len(part) - 400, len(part), 7)]:
            damaged = bytearray(part)
            damaged[at] ^= 1 << draw.randrange(8)
            found = self.resumed(bytes(damaged))
            self.assertIn(found, (None, whole), f"byte {at}")
            refused += found is None
        self.assertGreater(refused, 100)
        for size in [0, 1, 4, 30, len(part) // 2, len(part) - 22, len(part) - 1]:
            self.assertIsNone(self.resumed(part[:size]))
        self.assertIsNone(self.resumed(bytes(len(part))))

    def test_a_finished_run_stays_as_it_is(self):
        self.accepted(self.words("--checkpoint", self.path("c.npz"), "--curve", self.path("first")))
        before = self.content("c.npz")
        self.accepted(self.words("--checkpoint", self.path("c.npz"), "--curve", self.path("second"), "--resume"))
        self.assertEqual(self.content("c.npz"), before)
        for suffix in ".csv", ".svg":
            self.assertEqual(self.content("first" + suffix), self.content("second" + suffix))

    def test_other_runs_are_refused(self):
        """Also those whose arrays have the same names and shapes."""
        checkpoint = ["--checkpoint", self.path("c.npz")]
        self.accepted(self.words(*checkpoint, "--rate", "1e-7"))
        self.accepted(self.words(*checkpoint, "--resume", "--rate", "0.0000001"))
        for more in [["--rate", "2e-7"], ["--rate", "1e-7", "--seed", "2"], ["--rate", "1e-7", "--optimizer", "mom"],
                     ["--rate", "1e-7", "--warmup", "1"], ["--rate", "1e-7", "--bf16"], ["--rate", "1e-7", "--R", "2"],
                     ["--rate", "1e-7", "--schedule", "constant"], ["--rate", "1e-7", "--precision", "f64"]]:
            self.refused(self.words(*checkpoint, "--resume", *more), "found one of another")
        self.refused(self.words(*checkpoint, "--resume", "--rate", "1e-7", steps="7"), "found one of another")
        for name, more in [("pixels", {"seed": 2}), ("transposed", {"image": (2, 8, 4)})]:
            images.random_set(self.path(name), **more)
            self.refused(self.words(*checkpoint, "--resume", "--rate", "1e-7", data=self.path(name)), "found one of another")
        images.random_set(self.path("c.npz"))
        self.refused(self.words(*checkpoint, "--resume"), "no array 'run'")

    def test_a_signal_at_any_moment_leaves_a_whole_checkpoint(self):
        words = self.words("--checkpoint", self.path("c.npz"), "--every", "1", "--curve", self.path("curve"), steps="40")
        start = time.monotonic()
        self.accepted(words)
        takes, whole = time.monotonic() - start, self.content("c.npz")
        moments = random.Random(2)
        for _ in range(15):
            process = subprocess.Popen([attack.PROGRAM, *words, "--seed", "1"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(moments.uniform(0, 1.1 * takes))
            process.send_signal(moments.choice(STOPS))
            _, error = process.communicate(timeout=30)
            self.assertEqual(error, b"")
            self.assertEqual(self.files(), ["a.npz", "c.npz", "curve.csv", "curve.svg"])
            # Whatever step it is of, the run can be gone on with to the same end.
            self.accepted([*words, "--resume"])
            self.assertEqual(self.content("c.npz"), whole)


class Threads(Golden):
    def test_the_same_bytes_at_any_number_of_threads(self):
        images.random_set(self.path("b.npz"), examples=20, image=(3, 16, 16))
        for precision in "f32", "f64":
            seen = set()
            for threads in "1", "2", "7":
                done = self.accepted(["train", "--data", self.path("b.npz"), "--widths", "8,16", "--head", "16", "--batch", "8",
                                      "--R", "4", "--steps", "4", "--precision", precision, "--checkpoint", self.path("c.npz"),
                                      "--curve", self.path("c")], environment={"OMP_NUM_THREADS": threads})
                seen.add((done.stdout, *(self.content("c" + suffix) for suffix in (".npz", ".csv", ".svg"))))
            self.assertEqual(len(seen), 1, precision)


if __name__ == "__main__":
    attack.main()
