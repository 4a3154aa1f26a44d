import { ensureTestTwin } from '../../scripts/package/test-twin.ts'

/** Runs before the first test: the package is made of what is built. */
export default ensureTestTwin
