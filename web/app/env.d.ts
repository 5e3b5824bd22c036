// SPDX-License-Identifier: MIT
declare module 'komadai.wasm?url' {
  const url: string;
  export default url;
}
