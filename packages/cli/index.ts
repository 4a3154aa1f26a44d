/** The command line. */

export type { Start } from './command.ts'
export { ownProcess } from './host.ts'
export { nodeProblem } from './node-version.ts'
export { run } from './run.ts'
