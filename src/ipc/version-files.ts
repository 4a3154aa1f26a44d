import type { Answer } from '@galley/library/records'
import { z } from 'zod'

import { asks, inVersion } from './call.ts'

/** What can be taken out of Galley as it is stored: the page, or the archive of the save. */
export const versionFileKinds = ['html', 'zip'] as const
export type VersionFileKind = (typeof versionFileKinds)[number]

const versionFile = inVersion.extend({ kind: z.enum(versionFileKinds) })
export type VersionFile = z.output<typeof versionFile>

export const versionFileCalls = {
  /** Makes a copy of a file of a version, to be dragged. */
  prepareVersionFile: asks(versionFile).gives<Answer<null>>(),
  /** Begins to drag the copy out of the window. Call it while a button of the mouse is down. */
  dragVersionFile: asks(versionFile).gives<Answer<null>>(),
}
