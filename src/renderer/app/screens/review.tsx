import { Desk } from '../../features/review/desk.tsx'
import type { Screen } from './screen.ts'

export const reviewScreen: Screen<'review'> = { List: Desk, Inspector: null }
