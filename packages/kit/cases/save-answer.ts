import type { Theme } from '../suite/case.ts'
import { forms } from './save-answer/answer.ts'
import { assets } from './save-answer/assets.ts'
import { media } from './save-answer/media.ts'
import { page } from './save-answer/page.ts'

export const saveAnswer: Theme = {
  title: 'Saving and answering',
  dependsOn: 'save-accepted',
  cases: [...forms, ...media, ...assets, ...page],
}
