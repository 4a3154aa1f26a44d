import { useEffect } from 'react'

/** Sets the document's title, and loads the style sheet with the site's fonts. */
export function useDocument(title: string, fontSheetUrl: string | null): void {
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (fontSheetUrl === null) return undefined
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = fontSheetUrl
    document.head.append(sheet)
    return () => sheet.remove()
  }, [fontSheetUrl])
}
