import { CausedError } from '../../../contract/cause.ts'

/** A proxy, or the setting of one, is why a request got no answer. Its message contains no address and no credentials. */
export class ProxyError extends CausedError {}
