import { Desk } from '../../features/review/desk.tsx'
import { GoBackLayer } from './go-back-layer.tsx'
import type { Screen } from './screen.ts'

export const reviewScreen: Screen<'review'> = { List: Desk, Inspector: null, Layer: GoBackLayer }
