import { useEffect } from 'react'

/** Loads the faces of the site's fonts into this page. */
export function useFontSheet(address: string | null): void {
  useEffect(() => {
    if (address === null) return undefined
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = address
    document.head.append(sheet)
    return () => sheet.remove()
  }, [address])
}
