import { join } from 'node:path'

import { version } from '../../../../package.json'

/** What commands use of a build of Galley: its version, and where its files are. */
export const buildIn = (folder: string) => ({
  version,
  workerScript: join(folder, 'main', 'worker.js'),
  backgroundScript: join(folder, 'main', 'background.js'),
  /** The folder of the built pages, which include the emulator's editor. */
  editorFolder: join(folder, 'renderer'),
  themesFolder: join(folder, '..', 'resources', 'themes'),
  demoFolder: join(folder, '..', 'resources', 'demo'),
})

export type Build = ReturnType<typeof buildIn>
