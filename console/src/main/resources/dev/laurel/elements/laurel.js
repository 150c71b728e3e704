// Elements for the pages of products (docs/elements.md). This file keeps its name; what it imports has names of its content.
export {texts} from './texts.js';
export {LaurelStreak} from './streak.js';
export {LaurelAchievements} from './achievements.js';
export {LaurelPoints} from './points.js';
export {LaurelLeaderboard} from './leaderboard.js';
export {LaurelProgress} from './progress.js';
