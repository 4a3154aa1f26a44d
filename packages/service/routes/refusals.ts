import { refusal } from '../http/exchange.ts'

/** For sessions that never existed or expired; the editor shows this message. */
export const noSession = refusal(
  404,
  'not_found',
  'There is no such session, or it expired after two weeks without use. Open the material again from the site.',
)

/** For a callback that is no longer listed, or whose version no longer exists. */
export const callbackGone = refusal(
  404,
  'not_found',
  'This callback cannot be sent again: it is no longer listed, or its version was deleted.',
)
