import { CausedError } from '@galley/wire'

/** A proxy, or a setting of this computer, is why a request got no answer. The message contains no address and no credentials. */
export class ConnectionError extends CausedError {}
