import { causeSentences } from '../../contract/cause.ts'

/** Technical causes of failures. Responses and logs use the English ones. */
export const causes = causeSentences
