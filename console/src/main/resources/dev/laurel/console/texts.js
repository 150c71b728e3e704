// All texts, in the language of the browser if there is one file for it.
import en from './texts/en.js';

const languages = {en};
const language = navigator.languages.map(name => name.split('-')[0]).find(name => name in languages) ?? 'en';
document.documentElement.lang = language;

export default languages[language];
