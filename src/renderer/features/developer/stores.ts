import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createDeveloper, provideDeveloper } from './store.ts'

/** The developer section of the site that Settings shows. */
export function createDeveloperStores({ bridge, navigation }: Services): readonly Provide[] {
  const developer = createDeveloper(whileShown(bridge, navigation, ['settings']))
  followOn(navigation, ['settings'], (site) => developer.getState().show(site))
  return [provideDeveloper(developer)]
}
