import { refusal } from '../http/exchange.ts'

/** For what belongs to a session that was never there, or was not used for two weeks; editors show the words as they are. */
export const noSession = refusal(
  404,
  'not_found',
  'There is no such session, or it is gone after two weeks without use. Open the material again from the site.',
)

/** For a callback that is not listed any more, or is about a version that is gone. */
export const callbackGone = refusal(
  404,
  'not_found',
  'This callback cannot be sent again: it is no longer listed, or its version is gone.',
)
