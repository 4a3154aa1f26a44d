import { ensureBuilt } from '../../scripts/runtime/built.ts'

/** Before the first test: threads and command line run as they are built, so what is built has to belong to the sources. */
export default ensureBuilt
