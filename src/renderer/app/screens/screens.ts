import { Desk } from '../../features/review/desk.tsx'
import type { ScreenName } from '../../navigation/view.ts'
import { deliveryScreen } from './delivery.tsx'
import { fontsScreen } from './fonts.tsx'
import { GoBackLayer } from './go-back-layer.tsx'
import { materialScreen } from './material.tsx'
import { materialsScreen } from './materials.tsx'
import { publishScreen } from './publish.tsx'
import type { Screen } from './screen.ts'
import { settingsScreen } from './settings.tsx'

const reviewScreen: Screen<'review'> = { List: Desk, Inspector: null, Layer: GoBackLayer }

export const screens: { readonly [Name in ScreenName]: Screen<Name> } = {
  review: reviewScreen,
  materials: materialsScreen,
  material: materialScreen,
  fonts: fontsScreen,
  publish: publishScreen,
  delivery: deliveryScreen,
  settings: settingsScreen,
}
