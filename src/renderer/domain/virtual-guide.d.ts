// Made from docs/guide when the window is built (scripts/runtime/guide.ts).
declare module 'virtual:guide/*' {
  const guide: unknown
  export default guide
}
