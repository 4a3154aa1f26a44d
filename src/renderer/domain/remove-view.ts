import { useTranslation } from 'react-i18next'

import type { SavedViewsState } from '../stores/saved-views.ts'
import { useToasts } from '../ui/toasts.tsx'
import { addUndoable } from './call-toasts.ts'

/** Deletes a saved view, and offers to take that back. */
export function useRemoveView({ views, save, remove }: SavedViewsState): (name: string) => void {
  const { t, i18n: texts } = useTranslation('ui')
  const toasts = useToasts()
  const removeView = async (name: string): Promise<void> => {
    const query = views.find((view) => view.name === name)?.query
    await remove(name)
    if (query !== undefined) addUndoable({ texts, toasts }, t('views.removed', { name }), () => void save(name, query))
  }
  return (name) => void removeView(name)
}
