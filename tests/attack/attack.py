"""What the attacks share. Each *_test.py is run as: NAME_test.py PROGRAM, which is golden for golden*_test.py, else verify."""
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "verify"
NAME = os.path.basename(PROGRAM)
P2_FAILS = ["--prop", "P2", "--domain", "f64", "--mutant", "local-mdy"]
LONGEST_LINE = 1000


def run(*arguments, timeout=60, environment=None, **more):
    """The finished process; everything is bytes, since hostile bytes are the point."""
    words = [PROGRAM, *arguments]
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.PIPE)
    env = {**os.environ, **(environment or {})}
    return subprocess.run(words, stdin=subprocess.DEVNULL, timeout=timeout, env=env, check=False, **more)


class Attack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def as_nobody(self):
        """Further arguments of run, under which root, who may write anywhere, is somebody who may not."""
        if os.geteuid() != 0:
            return {}
        more = {"preexec_fn": lambda: os.setuid(65534)}
        try:
            run("--version", **more)
        except OSError:
            self.skipTest("the program lies where others cannot run it")
        return more

    def is_one_line(self, stderr):
        text = stderr.decode("utf-8")  # throws for anything else
        self.assertTrue(text.startswith(NAME + ": ") and text.endswith("\n"), text[:200])
        self.assertTrue(text[:-1].isprintable(), text[:200])
        self.assertLess(len(text), LONGEST_LINE)
        return text

    def refused(self, arguments, *words, **more):
        """Exit status 2, nothing on stdout, and one printable line on stderr that holds the words."""
        with self.subTest(arguments=[str(a)[:100] for a in arguments]):
            done = run(*arguments, **more)
            self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr[:300])
            text = self.is_one_line(done.stderr)
            for word in words:
                self.assertIn(word, text)

    def accepted(self, arguments, status=0, **more):
        with self.subTest(arguments=[str(a)[:100] for a in arguments]):
            done = run(*arguments, **more)
            self.assertIn(done.returncode, status if isinstance(status, tuple) else (status,), done.stderr[:300])
            self.assertNotEqual(done.stdout, b"")
            return done


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
