import { join } from 'node:path'
import { outsideAsar } from '@galley/platform'

import { version } from '../../package.json'

/** The parts of a build of Galley that commands use: its version and its files. */
export const buildIn = (folder: string) => ({
  version,
  workerScript: join(folder, 'main', 'worker.js'),
  backgroundScript: join(folder, 'main', 'background.js'),
  /** The folder of the built pages, which include the emulator's editor. */
  editorFolder: join(folder, 'editor'),
  themesFolder: outsideAsar(join(folder, '..', 'resources', 'themes')),
  demoFolder: outsideAsar(join(folder, '..', 'resources', 'demo')),
})

export type Build = ReturnType<typeof buildIn>
