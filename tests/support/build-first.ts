import { ensureBuilt } from '../../scripts/runtime/built.ts'

/** Runs before the first test: threads and the command line are built, so the build must match the sources. */
export default ensureBuilt
