// What the check of the scripts takes for granted: libraries are not looked into, and a page knows what it finds in itself.

declare module 'lit' {
  export class LitElement extends HTMLElement {
    [name: string]: any;
    static styles: any;
  }
  export const css: any;
  export const html: any;
  export const nothing: any;
  export const render: any;
  export const svg: any;
}
declare module 'lit/*';
declare module '@codemirror/*';
declare module '@lezer/*';
declare module 'echarts/*';
declare module 'yaml/browser';

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface DocumentOrShadowRoot {
  readonly activeElement: any;
}
interface FormData {
  get(name: string): any;
}
interface Function {
  readonly inputs: string[];
  readonly optional: string[];
  readonly texts: any;
}
