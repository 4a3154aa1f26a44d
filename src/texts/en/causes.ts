import { causeSentences } from '../../contract/cause.ts'

/** Technical causes of failures; in English they are in the answer and in the log. */
export const causes = causeSentences
