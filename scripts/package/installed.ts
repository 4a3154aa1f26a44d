/** What the packages of Linux install: the app below `/opt`, its command, and what desktops ask of a program. */

import { chmodSync, cpSync, lstatSync, lutimesSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { linkScheme } from '../../packages/library/records/app-link.ts'
import { projectRoot } from '../runtime/project.ts'
import { keyFile, type Repository } from './repository-source.ts'
import { manifest } from './stage.ts'

export const appId = 'app.galley.Galley'

/** Where the app is installed. */
export const home = '/opt/Galley'

export interface Release {
  /** The version, with a suffix for the fallback. */
  readonly version: string
  /** Of the commit, in seconds: the date of every file. */
  readonly madeAt: number
  /** Where newer packages will be. Null: the installation does not ask about updates. */
  readonly repository: Repository | null
}

/** For people who look at the package in a program that manages packages. */
export const about = {
  maintainer: 'The Galley founders <hello@galley.example>',
  summary: 'Site side of a hosted layout editor',
  /** Lines for a terminal of 80 columns. */
  description: [
    'Galley opens editing sessions with a hosted layout editor, receives every',
    'save, keeps all versions on this computer, and publishes them as a static',
    'site. It has a window for editors, reviewers and publishers, and a command',
    'line for servers.',
  ],
}

/** The command line is the app's own executable. As root it needs no sandbox, since it shows no page. */
const command = `#!/bin/sh
set -e
home=$(dirname "$(readlink -f "$0")")
sandbox=
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
exec "$home/galley" --cli $sandbox --ozone-platform=headless --disable-gpu --log-level=3 -- "$@"
`

/** Chromium would end without a word that helps. */
const windowCommand = `#!/bin/sh
set -e
if [ "$(id -u)" = 0 ]; then
  echo "Galley's window does not open for root: Chromium cannot protect you from the pages that it shows then. Log in as the person who works with Galley. The command galley does work for root." >&2
  exit 1
fi
exec "$(dirname "$(readlink -f "$0")")/galley" "$@"
`

const desktopEntry = `[Desktop Entry]
Type=Application
Name=Galley
GenericName=Site side of a layout editor
GenericName[ru]=Сайт для редактора макетов
Comment=Review saved pages and publish them
Comment[ru]=Просмотр сохранённых страниц и их публикация
Exec=${home}/galley-window -- %U
Icon=${appId}
Terminal=false
Categories=Office;Publishing;
MimeType=x-scheme-handler/${linkScheme};
StartupWMClass=Galley
`

const metainfo = ({ version, madeAt }: Release): string => `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${appId}</id>
  <metadata_license>FSFAP</metadata_license>
  <project_license>${manifest.license}</project_license>
  <name>Galley</name>
  <summary>${about.summary}</summary>
  <developer_name>The Galley founders</developer_name>
  <description>
    <p>${about.description.join(' ')}</p>
  </description>
  <launchable type="desktop-id">${appId}.desktop</launchable>
  <provides><binary>galley</binary></provides>
  <content_rating type="oars-1.1" />
  <releases><release version="${version}" date="${new Date(madeAt * 1000).toISOString().slice(0, 10)}" /></releases>
</component>
`

/** Ubuntu 24.04 gives user namespaces, which Chromium's sandbox needs, only to programs with a profile. */
const appArmor = `abi <abi/4.0>,
include <tunables/global>

profile galley ${home}/galley flags=(unconfined) {
  userns,
  include if exists <local/galley>
}
`

const changelog = ({ version, madeAt }: Release): string => {
  const date = new Date(madeAt * 1000).toUTCString().replace('GMT', '+0000')
  return `galley (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md beside this file.\n\n -- ${about.maintainer}  ${date}\n`
}

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Galley
Comment: Packages that are part of Galley are listed with their licences in ${home}/NOTICES.txt; those of
 Electron and Chromium are ${home}/LICENSE.electron.txt and ${home}/LICENSES.chromium.html.

Files: *
Copyright: ${manifest.author}
License: Expat
`

interface Texts {
  readonly licences: { readonly own: string; readonly others: string }
  /** Completion and manual page of the command, by their places below `share`. */
  readonly command: Readonly<Record<string, Buffer>>
}

/** Lays out everything in `root`, a new folder, from the folder of the app and these texts. */
export function layOut(root: string, app: string, release: Release, { licences, command: said }: Texts): void {
  const put = (path: string, bytes: string | Buffer, mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
    chmodSync(join(root, path), mode)
  }
  const documentation = '/usr/share/doc/galley'
  cpSync(app, join(root, home), { recursive: true })
  put(`${home}/NOTICES.txt`, licences.others)
  put(`${home}/galley-window`, windowCommand, 0o755)
  put(`${home}/galley-command`, command, 0o755)
  mkdirSync(join(root, '/usr/bin'), { recursive: true })
  symlinkSync(`${home}/galley-command`, join(root, '/usr/bin/galley'))
  put(`/usr/share/applications/${appId}.desktop`, desktopEntry)
  put(`/usr/share/metainfo/${appId}.metainfo.xml`, metainfo(release))
  put('/etc/apparmor.d/galley', appArmor)
  for (const [path, bytes] of Object.entries(said)) put(`/usr/share/${path}`, bytes)
  if (release.repository !== null) put(keyFile, release.repository.key)
  const indented = licences.own
    .trim()
    .split('\n')
    .map((line) => ` ${line === '' ? '.' : line}`)
  put(`${documentation}/copyright`, `${copyright}${indented.join('\n')}\n`)
  put(`${documentation}/changelog.gz`, gzipSync(changelog(release), { level: 9 }))
  cpSync(join(projectRoot, 'CHANGELOG.md'), join(root, documentation, 'CHANGELOG.md'))
  const icons = join(projectRoot, 'resources', 'icons')
  for (const name of readdirSync(icons).filter((each) => /^\d+x\d+\.png$/.test(each))) {
    const folder = join(root, '/usr/share/icons/hicolor', name.replace('.png', ''), 'apps')
    mkdirSync(folder, { recursive: true })
    cpSync(join(icons, name), join(folder, `${appId}.png`))
  }
  settle(root, release.madeAt)
}

/** Gives each file its mode and the date of the release, so that equal inputs make equal packages. */
export function settle(root: string, madeAt: number): void {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))
  for (const path of [root, ...paths]) {
    const kind = lstatSync(path)
    const runs = kind.isDirectory() || ((kind.mode & 0o100) !== 0 && !/\.(?:node|so(?:\.\d+)?)$/.test(path))
    // Where the kernel gives no user namespaces, Chromium's sandbox is this helper, as root.
    if (!kind.isSymbolicLink()) chmodSync(path, path.endsWith('/chrome-sandbox') ? 0o4755 : runs ? 0o755 : 0o644)
    lutimesSync(path, madeAt, madeAt)
  }
}
