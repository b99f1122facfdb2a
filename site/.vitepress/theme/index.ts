// The default theme with a live example.
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent } from 'vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    // Loaded where it is shown: the other pages carry neither three.js nor the library.
    app.component(
      'LiveExample',
      defineAsyncComponent(() => import('./LiveExample.vue')),
    );
  },
} satisfies Theme;
