# A cask for a Homebrew tap. The release workflow puts in the version and the checksum. It has never been run.
cask "sluice" do
  version "VERSION"
  sha256 "CHECKSUM"

  url "https://sluice.example/releases/download/v#{version}/Sluice-#{version}.dmg"
  name "Sluice"
  desc "Playground for local language models"
  homepage "https://sluice.example/"

  depends_on arch: :arm64
  depends_on macos: ">= :sonoma"

  app "Sluice.app"

  zap trash: [
    "~/Library/Application Support/Sluice",
    "~/Library/Caches/Sluice",
    "~/Library/Logs/Sluice",
  ]
end
