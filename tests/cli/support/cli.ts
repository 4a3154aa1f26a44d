import { onTestFinished } from 'vitest'

import type { AtEnd, Environment, Listening, Stream } from '../../support/galley-process.ts'
import * as processes from '../../support/galley-process.ts'

export type { AtEnd, Environment, Listening, Stream } from '../../support/galley-process.ts'
export { galley, galleyProcess } from '../../support/galley-process.ts'

/** A command that runs until it is stopped. It is killed at the end of the test, or by what `atEnd` registers. */
export const stream = (
  args: readonly string[],
  environment: Environment = {},
  options: { readonly stdin?: string; readonly atEnd?: AtEnd } = {},
): Stream => processes.stream(args, environment, { atEnd: onTestFinished, ...options })

/** Starts `listen` on a free port and waits until it listens; `url` is where. */
export const startListen = (
  library: string,
  environment: Environment,
  options: { readonly args?: readonly string[]; readonly atEnd?: AtEnd } = {},
): Promise<Listening> => processes.startListen(library, environment, { atEnd: onTestFinished, ...options })
