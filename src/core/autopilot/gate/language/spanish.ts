import { spacedLanguage } from "./spaced.ts";

export const SPANISH = spacedLanguage({
  code: "es",
  name: "Spanish",
  script: "latin",
  leadsOn:
    /(?<![a-z])(?:si|ok|vale|continu|sig|segu|adelante|proced|empez|empiez|comenz|comienz|list[oa]|correct|bien|acuerdo|confirm|perfecto|claro|dale)/,
  // Who is asked to do "that" does not know what it is.
  pointing: [/(?<![a-z])(?:hag|hac|hech|us[oae])/u, /(?<![a-z])(?:lo|esto|eso|este|esta|ese|esa|asi)(?![a-z])/u],
  doingNothing:
    "cancelar, omitir, no, ahora no, después, más tarde, todavía no, dejar así, otra cosa, tú decides, parar",
  endings:
    "o a os as e es en an ar er ir amos emos imos ado ada ados adas ido ida idos idas ando iendo aba aban aria arian eria ara era ira aran eran mente",
  words: `
    uno dos tres cuatro cinco seis siete ocho nueve diez veinte cincuenta cien convención convenciones resultado resultados cantidad altura
    ancho tamaño tamaños posición lugar animación animaciones transición transiciones fondo borde bordes sombra sombras esquina esquinas
    tarjetas enlace enlaces lógica bucle condición parámetro parámetros objeto objetos natural naturales ayuda etiqueta etiquetas artículo
    artículos cita promedio suma total parcial opcional obligatorio obligatoria válido inválido progreso enemigo enemigos puntuación ronda
    dificultad fácil difícil suficiente suficientes basta tan aún ya si sea sean tenemos debemos podemos bonito bonita visual visuales pantalla
    pantallas móvil comportamiento criterio criterios esta este estas estos ese esa yo tú tu te usted ustedes nosotros nos me mi mis su sus el
    la los las un una unos unas y e o u ni pero también como cómo que qué quien quién cual cuál cuales cuáles donde dónde cuando cuándo cuanto
    cuánto cuánta cuántos cuántas porque por para con de del al a en entre sobre bajo según desde hacia más menos muy mucho mucha muchos muchas
    poco poca pocos pocas cada ambos ambas algún alguna algunos algunas otro otra otros otras es son era ser sería serán está están estar hay
    haya tiene tienen tener tenga tengan debe deben debería deberían deba puede pueden podría podrían quiere quieres quieren quisiera prefiere
    prefieres prefieren preferiría gusta gustaría va van vamos ir hago hacemos hacer haga haría uso usa usar usamos usemos use usado utiliz*
    muestr* mostr* escrib* escrito escrita leer lea legible legibles explic* describ* compar* eleg* elig* escog* decid* recomend* recomendado
    recomendada suger* continu* continúo continuamos sigo sigue seguimos seguir siga empezar empiezo empezamos empieza comenzar comienzo procedo
    proceder añad* agreg* inclu* incluy* cubr* cubiert* orden* agrup* filtr* format* prob* prueb* revis* compru* verific* llam* llamarse nombr*
    denomin* coloc* ubic* pon* poner pongo aline* centr* dise* diseñ* dibuj* refactor* simplific* document* coment* traduc* redonde* cont*
    calcul* medir mide soport* admit* sí no ok vale bien mejor peor ahora primero primera primeros segunda segundo tercero último última luego
    después solo sólo solamente quizás así aquí color colores azul azules rojo roja verde verdes amarillo amarilla gris grises negro negra
    blanco blanca naranja marrón rosa morado violeta claro clara oscuro oscura contraste paleta tono tonos tema temas estilo estilos aspecto
    apariencia fuente fuentes letra letras tipografía título títulos subtítulo encabezado cabecera pie texto textos palabra palabras frase
    frases párrafo párrafos línea líneas columna columnas página páginas margen márgenes espacio espaciado botón botones menú menús barra barras
    lateral icono iconos imagen imágenes gráfico gráficos gráfica círculo cuadrícula lista listas tabla tablas campo campos formulario
    formularios entrada entradas salida salidas aviso avisos mensaje mensajes error errores ejemplo ejemplos guía documentación comentario
    comentarios descripción introducción resumen sección secciones capítulo capítulos contenido idioma idiomas español inglés francés alemán
    portugués lengua nombre nombres función funciones clase clases módulo módulos método métodos variable variables tipo tipos formato formatos
    fecha fechas hora horas zona horaria tiempo número números unidad unidades metros kilómetros millas grados porcentaje decimal decimales día
    días semana semanas mes meses año años minuto minutos segundos enero febrero marzo abril mayo junio julio agosto septiembre octubre
    noviembre diciembre lunes martes miércoles jueves viernes sábado domingo enfoque enfoques variante variantes opción opciones alternativa
    alternativas orden estructura estructuras arquitectura patrón patrones biblioteca bibliotecas librería marco framework base datos
    herramienta versión versiones alcance característica características búsqueda buscar vista vistas previa predeterminado predeterminada
    defecto valor valores parte partes caso casos límite límites cobertura componente componentes interfaz principiante principiantes avanzado
    avanzada objetivo pregunta preguntas respuesta respuestas detalle detalles detallado detallada breve breves corto corta largo larga completo
    completa mínimo mínima medio media máximo nivel niveles grande grandes pequeño pequeña izquierda derecha arriba abajo centro centrado
    vertical horizontal alfabético alfabéticamente cronológico ascendente descendente formal informal amigable serio técnico técnica moderno
    moderna clásico clásica sencillo sencilla simple simples elegante minimalista plano redondo negrita cursiva mayúscula mayúsculas minúscula
    minúsculas plural singular sangría espacios tabulación tabulaciones comillas dobles coma punto guion paréntesis principal principales
    secundario importante importantes útil útiles claridad rápido rápida lento lenta preciso flexible robusto consistente coherente acuerdo
    correcto correcta perfecto gracias necesario necesaria habitual normal normales producto productos carrito juego juegos jugador jugadores
    prueba pruebas informe informes diagrama diagramas boceto
  `,
  alarms: {
    "destroying or replacing": {
      stems: `borr elimin suprim quit vaci limpi destru descart sobrescrib sobreescrib reemplaz sustitu reinici restablec desinstal deshac retir jubil baja arras liquid adios despedi antigu viej mover muev traslad renombr perd pierd irrevers definitiv cero`,
    },
    "going out to others": {
      whole: "subo sube suba subir subimos subamos subi",
      stems: `public despleg desplieg lanz suelt solt envi mand comparti compart client produccion correo notific invit anunci rama fusion mundo equipo internet`,
      // To everybody, not to all the fields.
      phrases: [/(?<![a-z])(?:a|para)\s+tod[oa]s(?![a-z])(?!\s+(?:l[oa]s|est[oa]s|es[oa]s|su?s|mis|tus))/],
    },
    "the machine and what runs on it": {
      stems: `servidor equip maquina instal ejecut arranc apag disco carpeta directorio comando proceso servicio sistema entorno paquet dependenc`,
      whole: "red corre correr corro inicio inicia iniciar",
    },
    "guards and autonomy": {
      stems: `permi autoriz aprob acces segur proteg desactiv salt ignor omit autonom privileg derecho conced`,
      whole: "sin deja dejas dejar dejo aunque",
      phrases: [/(?<![a-z])(?:estas|esta|estan|estais|estamos)(?![a-z])[\s\S]*(?<![a-z])acuerdo/],
    },
    "secrets and accounts": { stems: `contrasen clave secret credencial cuenta llave privad personal sesion` },
    "cost and models": {
      whole: "pago paga pagar pagamos pague pagado compra comprar compro compre compramos plan planes precio precios",
      stems: `contrat suscri cost tarif tarjeta dinero factur cobr gast euros gratis model alquil`,
    },
  },
});
