// A chart with its table and its CSV.
import 'echarts/dist/echarts.common.min.js';
import {Page, html, nothing, bad, problem, table, waiting} from './page.js';
import {saveCsv} from './api.js';
import {formats} from './format.js';
import texts from './texts.js';

const echarts = globalThis.echarts;
const SERIES_COLOURS = 5;
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Charts are drawn on a canvas, which does not follow the colour scheme. */
const charts = new Set();
const redraw = () => charts.forEach(chart => chart.draw());
dark.addEventListener('change', redraw);
addEventListener('laurel-scheme', redraw);

/** The colour of a token in the scheme in use. */
function colour(token) {
  const probe = document.createElement('i');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/**
 * `chart`: `{periods, periodName, series: [{name, values}], kind: 'line' or 'bar', format, isStacked}`, where `format` is one of
 * {@link formats}; undefined while it is loaded. `csv` is the path of the report.
 */
class ReportChart extends Page {
  static properties = {heading: {}, about: {}, chart: {attribute: false}, error: {}, csv: {}, csvError: {state: true}};

  #canvas = null;
  #size = new ResizeObserver(() => this.#canvas?.resize());

  connectedCallback() {
    super.connectedCallback();
    charts.add(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    charts.delete(this);
    this.#size.disconnect();
    this.#canvas?.dispose();
    this.#canvas = null;
  }

  render() {
    return html`
      <section class="card" aria-label=${this.heading}>
        <div class="title"><h2>${this.heading}</h2>${
          this.csv
            ? html`
          <button class="plain" @click=${this.save}>${texts.chart.csv}<span class="seen-by-readers"> ${this.heading}</span></button>`
            : nothing
        }</div>
        <p class="quiet small">${this.about}</p>
        ${this.csvError ? bad(this.csvError) : nothing}
        ${this.error ? bad(this.error) : nothing}
        <div class="plot" role="img" aria-label=${texts.chart.described(this.heading)} ?hidden=${Boolean(this.error)}></div>
        <details>
          <summary>${texts.chart.table}<span class="seen-by-readers"> ${this.heading}</span></summary>
          ${this.chart ? this.table() : waiting()}
        </details>
      </section>`;
  }

  table() {
    const {periods, periodName, series, format} = this.chart;
    return table(
      this.heading,
      [{name: periodName}, ...series.map(one => ({name: one.name, isNumber: true}))],
      periods.map((period, i) => [period, ...series.map(one => formats[format](one.values[i]))]),
    );
  }

  updated(changed) {
    if (changed.has('chart')) {
      this.draw();
    }
  }

  draw() {
    if (!this.chart) {
      return;
    }
    const start = performance.now();
    const place = this.querySelector('.plot');
    if (this.#canvas === null) {
      this.#canvas = echarts.init(place);
      this.#size.observe(place);
    }
    this.#canvas.setOption(this.options(), {notMerge: true, lazyUpdate: false});
    performance.measure('laurel-chart', {start, end: performance.now(), detail: this.heading});
  }

  options() {
    const {periods, series, kind, format, isStacked} = this.chart;
    const text = colour('quiet');
    const line = colour('line');
    const label = {color: text, fontFamily: getComputedStyle(this).fontFamily, fontSize: 12};
    return {
      animation: false,
      color: Array.from({length: SERIES_COLOURS}, (_, i) => colour(`series-${i + 1}`)),
      grid: {left: 8, right: 16, top: series.length > 1 ? 36 : 12, bottom: 4, containLabel: true},
      legend:
        series.length > 1
          ? {
              type: 'scroll',
              top: 0,
              left: 0,
              icon: 'roundRect',
              itemWidth: 14,
              itemHeight: 4,
              textStyle: label,
              pageTextStyle: label,
              pageIconColor: text,
            }
          : undefined,
      // Drawn on the canvas: a tooltip of HTML would need inline styles.
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        confine: true,
        backgroundColor: colour('surface'),
        borderColor: line,
        textStyle: {...label, color: colour('text')},
        valueFormatter: formats[format],
        axisPointer: {lineStyle: {color: text}},
      },
      xAxis: {
        type: 'category',
        data: periods,
        boundaryGap: kind === 'bar',
        axisLabel: {...label, hideOverlap: true},
        axisLine: {lineStyle: {color: line}},
        axisTick: {show: false},
      },
      yAxis: {
        type: 'value',
        min: 0,
        axisLabel: {...label, formatter: formats[format]},
        splitLine: {lineStyle: {color: line}},
        minInterval: format === 'count' ? 1 : undefined,
      },
      series: series.map((one, i) => ({
        name: one.name,
        type: kind,
        data: one.values.map(value => value ?? null),
        showSymbol: periods.length === 1,
        symbol: 'circle',
        lineStyle: {width: 2, type: ['solid', 'dashed', 'dotted'][Math.floor(i / SERIES_COLOURS) % 3]},
        stack: isStacked ? 'all' : undefined,
        barMaxWidth: 28,
        silent: false,
      })),
    };
  }

  async save() {
    this.csvError = null;
    try {
      await saveCsv(this.csv, this.heading.toLowerCase().replace(/\W+/g, '-'));
    } catch (e) {
      this.csvError = problem(e);
    }
  }
}
customElements.define('report-chart', ReportChart);
