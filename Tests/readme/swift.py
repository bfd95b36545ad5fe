"""Builds the Swift programs that pages show: as the main file of one package that depends on a copy of the tree by path."""

from runner import run


class SwiftPackage:
    def __init__(self, copy):
        self.copy, self.directory = copy, copy.parent / "readme-package"

    def __call__(self, block):
        """The program of a block."""
        sources = self.directory / "Sources" / "App"
        sources.mkdir(parents=True, exist_ok=True)
        products = [f'.product(name: "{name}", package: "FirstTime")' for name in ("FirstTime", "FirstTimeFoundation", "YCFirstTime")]
        manifest = (
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            f'let package = Package(name: "App", dependencies: [.package(name: "FirstTime", path: "{self.copy}")], targets: [\n'
            f'    .executableTarget(name: "App", dependencies: [{", ".join(products)}])\n])\n'
        )
        for path, text in ((self.directory / "Package.swift", manifest), (sources / "main.swift", block.text)):
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        build = ["swift", "build", "--quiet", "--package-path", str(self.directory), "--product", "App"]
        run(build, block.where, self.directory)
        return run([*build, "--show-bin-path"], block.where, self.directory).strip() + "/App"
