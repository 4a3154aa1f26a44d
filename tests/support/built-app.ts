/** Never called: it tells `vitest --changed` that tests of the running app depend on everything that is built. */
const sources = () => [
  import('../../src/main/index.ts'),
  import('../../src/main/cli.ts'),
  import('../../src/preload/index.ts'),
  import('../../src/renderer/app/main.tsx'),
  import('../../packages/service/editor/main.tsx'),
]

export default (): void => void sources
