((CORE, MORE, SETTINGS)=>{
var made=(()=>{var c=Object.defineProperty;var i=Object.getOwnPropertyDescriptor;var u=Object.getOwnPropertyNames;var m=Object.prototype.hasOwnProperty;var S=(e,n)=>{for(var t in n)c(e,t,{get:n[t],enumerable:!0})},T=(e,n,t,o)=>{if(n&&typeof n=="object"||typeof n=="function")for(let l of u(n))!m.call(e,l)&&l!==t&&c(e,l,{get:()=>n[l],enumerable:!(o=i(n,
l))||o.enumerable});return e};var d=e=>T(c({},"__esModule",{value:!0}),e);var f={};S(f,{engine:()=>N});function g(e){let[,n,t,o,l]=/(?:at (?:new )?([\w.$]+) )?\(?surehand-(core|more|shell)\.js:(\d+):(\d+)/.exec(String(e&&e.stack))||[],a={message:String(e&&e.message||e).slice(
0,s),function:n||"",script:t||"",line:Number(o)||0,column:Number(l)||0,url:location.href.slice(0,s)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(a)))}var s=300;function p(){
let e=globalThis.eval(CORE)(SETTINGS);return e.provideMore(()=>globalThis.eval(MORE)(SETTINGS,e)),e.ask}var r=null,N={queryAll(e,n){try{return r||=p(),r(e,JSON.parse(decodeURIComponent(n)))}catch(t){throw g(
t)}}};return d(f);})();
return made.engine})
