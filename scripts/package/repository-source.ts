/** What a `.deb` needs to ask, at its installation, whether the system's updates shall include Galley. */

/** The signed repository in which newer packages will be. */
export interface Repository {
  /** Of the folder that has `dists` and `pool`. */
  readonly url: string
  /** The public key that signs it, as `gpg --export` gives it. */
  readonly key: Buffer
}

export const keyFile = '/usr/share/keyrings/galley.gpg'
const sourceFile = '/etc/apt/sources.list.d/galley.sources'

const templates = (url: string): string => `Template: galley/repository
Type: boolean
Default: false
Description: Get newer versions of Galley with the system's updates?
 This computer would then ask ${url} for newer packages, and install only those that are signed with the key of this package.
 Without it, Galley still says when there is a newer version.
Description-ru.UTF-8: Получать новые версии Galley вместе с обновлениями системы?
 Компьютер будет узнавать о новых пакетах по адресу ${url} и устанавливать только подписанные ключом этого пакета.
 Без этого Galley всё равно сообщит о новой версии.
`

const config = `#!/bin/sh
set -e
. /usr/share/debconf/confmodule
db_input high galley/repository || true
db_go || true
`

/** A source is written when a person answers, not at updates: whoever deletes the file later is not asked again. */
const write = (url: string): readonly string[] => [
  'if [ "$1" = configure ] && { [ -z "$2" ] || [ -n "$DEBCONF_RECONFIGURE" ]; }; then',
  '  . /usr/share/debconf/confmodule',
  '  db_get galley/repository',
  `  if [ "$RET" = true ]; then`,
  `    printf 'Types: deb\\nURIs: %s\\nSuites: stable\\nComponents: main\\nArchitectures: amd64\\nSigned-By: ${keyFile}\\n' '${url}' > ${sourceFile}`,
  `    chmod 644 ${sourceFile}`,
  '  else',
  `    rm -f ${sourceFile}`,
  '  fi',
  '  db_stop',
  'fi',
]

/** The key leaves with the package, and a source without its key would stop all updates. */
const remove: readonly string[] = [
  `if [ "$1" = remove ] || [ "$1" = purge ]; then rm -f ${sourceFile}; fi`,
  'if [ "$1" = purge ] && [ -e /usr/share/debconf/confmodule ]; then',
  '  . /usr/share/debconf/confmodule',
  '  db_purge',
  '  db_stop',
  'fi',
]

/** The parts of the control archive, and the lines of its scripts. */
export const askingFor = ({ url }: Repository) => ({
  parts: { templates: templates(url), config },
  depends: 'debconf (>= 0.5) | debconf-2.0',
  write: write(url),
  remove,
})
